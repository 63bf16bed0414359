#!/bin/sh
echo plain output
