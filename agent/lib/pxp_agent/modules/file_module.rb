# frozen_string_literal: true

require 'fileutils'
require_relative 'process_module'
require_relative 'script'

module PxpAgent
  module Modules
    # Brings files, directories and links to where they are wanted.
    class FileModule
      include ProcessModule

      ENTRY = Shape.object(
        { 'link_source' => String, 'destination' => String, 'uri' => Script::URI_SHAPE, 'sha256' => String,
          'kind' => String }, {}, open: true
      )

      def initialize(downloads)
        @downloads = downloads
      end

      def name
        'file'
      end

      def actions
        { 'download' => Shape.object({}, { 'files' => [ENTRY] }, open: true) }
      end

      # @return an Output: no program has to be run
      def prepare(request, _directory)
        files = request.params.fetch('files') { raise KeyError, 'unknown object entry with key: files' }
        files.each { |file| bring(file) }
        Output.new(0, 'downloaded', '')
      end

      private

      def bring(file)
        destination = file['destination']
        case file['kind']
        when 'file' then @downloads.place(file, destination)
        when 'directory' then make_directory(destination)
        when 'symlink' then link(file['link_source'], destination)
        else raise ProcessingError, "Not a valid file type! #{file['kind']}"
        end
      end

      def make_directory(destination)
        return FileUtils.mkdir_p(destination, mode: Downloads::MODE) unless File.exist?(destination)
        return if File.directory?(destination)

        raise ProcessingError, "Destination \"#{destination}\" already exists and is not a directory!"
      end

      def link(source, destination)
        return if File.symlink?(destination)
        raise ProcessingError, "Destination \"#{destination}\" already exists and is not a symlink!" if File.exist?(destination)

        File.symlink(source, destination)
      end
    end
  end
end
