type M::Deep::Down = String
