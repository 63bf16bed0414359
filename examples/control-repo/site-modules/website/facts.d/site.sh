#!/bin/sh
echo "demo_site=example"
