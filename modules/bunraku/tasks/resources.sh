#!/bin/sh
# The Ruby part beside this file, run by the Ruby that Puppet has.
PATH="/opt/puppetlabs/puppet/bin:$PATH"
exec ruby "${0%.sh}.rb"
