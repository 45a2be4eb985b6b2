"""`python -m companion` is the console command `companion`."""

import sys

from companion.cli import main

sys.exit(main())
