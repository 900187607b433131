/** Lots of goods as [count, price], oldest first. Sells from the oldest: [cost of what was sold, lots left]. */
export function sell(lots, count) {
  const left = [];
  let missing = count;
  let cost = 0;
  for (const [available, price] of lots) {
    const taken = Math.min(available, missing);
    cost += taken * price;
    missing -= taken;
    if (available > taken) left.push([available - taken, price]);
  }
  if (missing > 0) throw new RangeError(`${missing} are missing`);
  return [cost, left];
}

/** Buys: a lot with the price of the last one is joined with it. */
export function buy(lots, count, price) {
  const last = lots.at(-1);
  if (last !== undefined && last[1] === price)
    return [...lots.slice(0, -1), [last[0] + count, price]];
  return [...lots, [count, price]];
}

/** What the lots are worth. */
export function worth(lots) {
  return lots.reduce((sum, [count, price]) => sum + count * price, 0);
}

/** The mean price, rounded down; 0 without goods. */
export function meanPrice(lots) {
  const count = lots.reduce((sum, [n]) => sum + n, 0);
  return count === 0 ? 0 : Math.floor(worth(lots) / count);
}

/** The gain of a list of trades: ["buy" or "sell", count, price]. */
export function gainOf(trades) {
  let lots = [];
  let gain = 0;
  for (const [kind, count, price] of trades) {
    if (kind === 'buy') lots = buy(lots, count, price);
    else {
      const [cost, left] = sell(lots, count);
      gain += count * price - cost;
      lots = left;
    }
  }
  return gain;
}
