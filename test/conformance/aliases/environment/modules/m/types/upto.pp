type M::Upto = Array[M::Params]
