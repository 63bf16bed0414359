type M::Good = Integer
