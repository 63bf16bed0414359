#!/bin/sh
echo some output
echo trouble >&2
exit 2
