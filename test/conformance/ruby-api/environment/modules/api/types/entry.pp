type Api::Entry = Variant[Api::Letter, Integer[1, 3]]
