# frozen_string_literal: true

module Bunraku
  # Where the C library sorts (and in JRuby), what compares equal stays in its order, and catalogs of real modules depend
  # on it. WebAssembly has no such library: Ruby's own algorithm mixes equal elements. This one halves and merges,
  # comparing the same pairs in the same order as the C library does, so that even messages name the same two.
  module StableSort
    module_function

    def sort(items, &block)
      # What is equal here cannot be told apart.
      return nil if block.nil? && plain?(items)

      block ? merged(items) { |a, b| result(block.call(a, b), a, b) } : merged(items) { |a, b| compare(a, b) }
    end

    def sort_by(items, &block)
      pairs = items.map { |item| [block.call(item), item] }
      return by_place(pairs) if plain?(pairs.map(&:first))

      merged(pairs) { |a, b| compare(a.first, b.first) }.map(&:last)
    end

    def by_place(pairs)
      places = pairs.each_with_index.map { |(key, _), index| [key, index] }
      places.bunraku_sort.map { |_, index| pairs[index].last }
    end

    def plain?(items)
      kind = items.first.class
      (kind == Integer || kind == String) && items.all? { |item| item.instance_of?(kind) }
    end

    def merged(items, &order)
      return items if items.size < 2

      half = items.size / 2
      merge(merged(items[0, half], &order), merged(items[half..], &order), &order)
    end

    def merge(left, right)
      list = []
      i = j = 0
      while i < left.size && j < right.size
        if yield(left[i], right[j]).positive?
          list << right[j]
          j += 1
        else
          list << left[i]
          i += 1
        end
      end
      list.concat(left[i..], right[j..])
    end

    def compare(one, other)
      result(one <=> other, one, other)
    end

    def result(compared, one, other)
      return compared if compared.is_a?(Integer)
      raise ArgumentError, "comparison of #{one.class} with #{named(other)} failed" if compared.nil?

      compared.positive? ? 1 : (compared.negative? ? -1 : 0)
    end

    def named(other)
      case other
      when nil, true, false, Integer, Float, Symbol then other.inspect
      else other.class
      end
    end
  end
end

class Array
  alias bunraku_sort sort

  def sort(&block)
    sorted = Bunraku::StableSort.sort(to_a, &block)
    sorted.nil? ? bunraku_sort : sorted.dup
  end

  def sort!(&block)
    replace(sort(&block))
  end

  def sort_by!(&block)
    return to_enum(:sort_by!) { size } if block.nil?

    replace(Bunraku::StableSort.sort_by(to_a, &block))
  end
end

module Enumerable
  def sort(&block)
    to_a.sort(&block)
  end

  def sort_by(&block)
    return to_enum(:sort_by) { respond_to?(:size) ? size : nil } if block.nil?

    Bunraku::StableSort.sort_by(to_a, &block).dup
  end
end
