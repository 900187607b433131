/** Prices in cents. A line is { price, count, kind }. */
const rates = { food: 0.07, book: 0.07 };
const usualRate = 0.19;

/** The price of a line; from ten pieces on, each tenth piece is free. */
export function lineTotal({ price, count }) {
  const free = Math.floor(count / 10);
  return price * (count - free);
}

/** What a voucher takes off a sum: { percent } or { amount }, with an optional least order value. */
export function discountOf(sum, voucher) {
  if (!voucher) return 0;
  const { percent = 0, amount = 0, from = 0 } = voucher;
  if (sum < from) return 0;
  const off = percent > 0 ? Math.round((sum * percent) / 100) : amount;
  return Math.min(off, sum);
}

/** Shipping is free from 50.00 on, and for empty carts. */
export function shippingFor(sum, express = false) {
  if (sum === 0) return 0;
  const base = sum >= 5000 ? 0 : 495;
  return express ? base + 800 : base;
}

/** The tax that is contained in a price. */
export function taxIn(price, kind) {
  const rate = rates[kind] ?? usualRate;
  return Math.round(price - price / (1 + rate));
}

/** Everything about a cart. */
export function totals(lines, voucher, express = false) {
  const goods = lines.reduce((sum, line) => sum + lineTotal(line), 0);
  const discount = discountOf(goods, voucher);
  const shipping = shippingFor(goods - discount, express);
  const tax = lines.reduce((sum, line) => sum + taxIn(lineTotal(line), line.kind), 0);
  return { goods, discount, shipping, tax, total: goods - discount + shipping };
}
