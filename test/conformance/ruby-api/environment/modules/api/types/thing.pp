type Api::Thing = Integer[1,5]
