"""Prefix codes by Huffman."""

import heapq


def lengths(counts):
    """The length of the code of each symbol: {symbol: length}; a single symbol has length 1."""
    heap = [(count, symbol, [symbol]) for symbol, count in sorted(counts.items())]
    heapq.heapify(heap)
    result = {symbol: 0 for symbol in counts}
    if len(heap) == 1:
        return {symbol: 1 for symbol in counts}
    while len(heap) > 1:
        one = heapq.heappop(heap)
        other = heapq.heappop(heap)
        for symbol in one[2] + other[2]:
            result[symbol] += 1
        heapq.heappush(heap, (one[0] + other[0], min(one[1], other[1]), one[2] + other[2]))
    return result


def canonical(code_lengths):
    """The canonical code of each symbol, as a text of bits: by length, then by symbol."""
    codes = {}
    code = 0
    before = 0
    for symbol, length in sorted(code_lengths.items(), key=lambda item: (item[1], item[0])):
        code <<= length - before
        codes[symbol] = format(code, f"0{length}b")
        code += 1
        before = length
    return codes


def count_symbols(text):
    """How often each symbol comes up."""
    counts = {}
    for symbol in text:
        counts[symbol] = counts.get(symbol, 0) + 1
    return counts


def encode(text):
    """The bits of a text, and its codes."""
    codes = canonical(lengths(count_symbols(text))) if text else {}
    return "".join(codes[symbol] for symbol in text), codes


def decode(bits, codes):
    """The text of bits. Raises ValueError if bits are left over."""
    symbols = {code: symbol for symbol, code in codes.items()}
    text = ""
    part = ""
    for bit in bits:
        part += bit
        if part in symbols:
            text += symbols[part]
            part = ""
    if part:
        raise ValueError("bits are left over")
    return text


def saved(text):
    """How many percent of eight bits for each symbol the code saves, rounded down."""
    if not text:
        return 0
    return 100 - -(-len(encode(text)[0]) * 100 // (8 * len(text)))
