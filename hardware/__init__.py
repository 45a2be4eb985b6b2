"""One adapter a device, and a simulator beside each, behind the same port."""
