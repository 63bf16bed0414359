#!/bin/sh
echo "hello $1 $2"
