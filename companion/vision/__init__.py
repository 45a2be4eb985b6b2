"""From pictures to dice: reading, settling, and the drawn scenes that test both."""

import os

# ONNX Runtime 1.32 else gathers telemetry for its maker and keeps a device's number in the home folder. It looks only
# once, as it is imported, which is done in several places below.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
