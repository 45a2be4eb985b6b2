"""What past games tell: retold by the referee, as score sheets, rolls and dice statistics."""
