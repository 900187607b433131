const zones = { home: 0, near: 1, far: 2 };
const bands = [
  { upTo: 1, prices: [399, 699, 1199] },
  { upTo: 5, prices: [599, 999, 1999] },
  { upTo: 20, prices: [999, 1699, 3999] },
];

/** The weight that counts: the real one, or that of its volume (5000 cubic centimetres are a kilogram). */
export function billedWeight(weight, [length, width, height]) {
  return Math.max(weight, (length * width * height) / 5000);
}

/** The girth and length of a parcel must not be more than 300 cm together. */
export function fits(sizes) {
  const [longest, ...others] = sizes.toSorted((a, b) => b - a);
  return longest <= 120 && longest + 2 * (others[0] + others[1]) <= 300;
}

/** The price of a parcel in cents; null if it is too heavy or too large. */
export function parcelRate(weight, sizes, zone = 'home') {
  if (!fits(sizes)) return null;
  const billed = billedWeight(weight, sizes);
  const band = bands.find(({ upTo }) => billed <= upTo);
  return band === undefined ? null : band.prices[zones[zone]];
}

/** The price of several parcels: from three on, each costs a tenth less. */
export function orderRate(parcels, zone) {
  const rates = parcels.map(({ weight, sizes }) => parcelRate(weight, sizes, zone));
  if (rates.includes(null)) return null;
  const sum = rates.reduce((total, rate) => total + rate, 0);
  return parcels.length >= 3 ? Math.round(sum * 0.9) : sum;
}
