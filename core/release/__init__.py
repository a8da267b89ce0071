"""From a spec to a signed bundle. Never imports `core.evaluate`."""
