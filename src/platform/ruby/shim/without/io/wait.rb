# frozen_string_literal: true

# Nothing here has to be waited for.
