# frozen_string_literal: true

# Users and groups as the files of the machine have them.
module Etc
  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  class << self
    def getpwnam(name)
      passwd.find { |user| user.name == name } || raise(ArgumentError, "can't find user for #{name}")
    end

    def getpwuid(uid = Process.uid)
      passwd.find { |user| user.uid == uid } || raise(ArgumentError, "can't find user for #{uid}")
    end

    def getgrnam(name)
      group.find { |found| found.name == name } || raise(ArgumentError, "can't find group for #{name}")
    end

    def getgrgid(gid = Process.gid)
      group.find { |found| found.gid == gid } || raise(ArgumentError, "can't find group for #{gid}")
    end

    def getlogin
      ENV['LOGNAME'] || ENV['USER'] || getpwuid.name
    end

    def passwd
      lines('/etc/passwd', 7).map { |name, word, uid, gid, *rest| Passwd.new(name, word, uid.to_i, gid.to_i, *rest) }
    end

    def group
      lines('/etc/group', 4).map { |name, word, gid, members| Group.new(name, word, gid.to_i, members.split(',')) }
    end

    def systmpdir
      '/tmp'
    end

    def sysconfdir
      '/etc'
    end

    def uname
      Bunraku.impossible('the name of the system')
    end

    def nprocessors
      Bunraku.impossible('counting processors')
    end

    private

    def lines(file, fields)
      File.readlines(file, chomp: true).map { |line| line.split(':', fields) }.select { |parts| parts.size == fields }
    end
  end
end
