type M::Unknown = NoSuch
