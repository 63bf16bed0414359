type M::Other = Integer
