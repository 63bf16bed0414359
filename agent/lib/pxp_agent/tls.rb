# frozen_string_literal: true

require 'openssl'

module PxpAgent
  # The agent's certificate and what it trusts, read from the files of the Puppet agent each time: they are renewed.
  class Tls
    # @param files - with `ca_cert`, `cert`, `key` and `crl`, which may be nil
    def initialize(files)
      @files = files
    end

    # For a broker. TLS 1.2 and above; the certificate revocation list is checked for the whole chain.
    def context
      context = OpenSSL::SSL::SSLContext.new
      context.min_version = OpenSSL::SSL::TLS1_2_VERSION
      context.verify_mode = OpenSSL::SSL::VERIFY_PEER
      context.cert_store = store
      context.cert, *chain = certificates
      context.extra_chain_cert = chain unless chain.empty?
      context.key = key
      context
    end

    # The first attribute of the subject, which is the name of this agent.
    def certname
      certificates.first.subject.to_a.first[1].dup.force_encoding(Encoding::UTF_8)
    end

    def store
      store = OpenSSL::X509::Store.new
      store.add_file(@files[:ca_cert])
      if @files[:crl]
        store.add_file(@files[:crl])
        store.flags = OpenSSL::X509::V_FLAG_CRL_CHECK | OpenSSL::X509::V_FLAG_CRL_CHECK_ALL
      end
      store
    end

    def certificates
      pem = File.read(@files[:cert])
      found = pem.scan(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/m)
      raise OpenSSL::X509::CertificateError, "#{@files[:cert]} has no certificate" if found.empty?

      found.map { |text| OpenSSL::X509::Certificate.new(text) }
    end

    def key
      OpenSSL::PKey.read(File.read(@files[:key]))
    end
  end
end
