# frozen_string_literal: true

# The methods that gettext adds to every object when Puppet is loaded. Messages stay in English.
class Object
  private

  def _(text)
    text
  end

  # The last argument is the count.
  def n_(*texts)
    texts.last == 1 ? texts[0] : texts[1]
  end

  # A text with a context in front, which is not shown.
  def s_(text, separator = nil)
    text.split(separator || '|').last
  end

  def ns_(*texts)
    s_(n_(*texts))
  end

  def N_(text) # rubocop:disable Naming/MethodName
    text
  end

  def Nn_(*texts) # rubocop:disable Naming/MethodName
    texts
  end
end

# gettext also leaves a message unchanged when one of its keys has no value.
class String
  alias bunraku_format %

  def %(values)
    bunraku_format(values)
  rescue KeyError
    self
  end
end
