# frozen_string_literal: true

# What the library gettext brings into every object where Puppet is loaded; messages stay in English.
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

# It also makes a message with a misspelt key stay as it is.
class String
  alias bunraku_format %

  def %(values)
    bunraku_format(values)
  rescue KeyError
    self
  end
end
