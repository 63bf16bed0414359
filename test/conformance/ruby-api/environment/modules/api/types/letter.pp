type Api::Letter = Enum['b', 'a']
