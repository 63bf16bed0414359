#!/bin/sh
echo "{\"noop\": \"$PT__noop\"}"
