type M::Enum = Enum[1]
