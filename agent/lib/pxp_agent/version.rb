# frozen_string_literal: true

module PxpAgent
  VERSION = '0.1.0'
  USER_AGENT = "bunraku-pxp-agent/#{VERSION}"
end
