#!/bin/sh
echo "{\"_sensitive\": \"$PT_password\", \"x\": 1}"
