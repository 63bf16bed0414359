type M::Objects = Object[{attributes => {a => M::Good}}]
