type T::Mode = Enum['fast', 'slow']
