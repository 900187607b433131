/** The identity matrix of a size. */
export function identity(size) {
  return Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i === j ? 1 : 0)),
  );
}

/** The product of two matrices, lists of rows. */
export function multiply(a, b) {
  if (a[0].length !== b.length) throw new RangeError('the sizes do not fit');
  return a.map(row =>
    b[0].map((_, column) => {
      let sum = 0;
      for (let k = 0; k < row.length; k += 1) sum += row[k] * b[k][column];
      return sum;
    }),
  );
}

/** A square matrix to a whole power, by squaring. */
export function power(matrix, exponent) {
  let result = identity(matrix.length);
  let base = matrix;
  for (let rest = exponent; rest > 0; rest >>= 1) {
    if (rest & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

/** The n-th Fibonacci number, 0 first. */
export function fibonacci(n) {
  return power([[1, 1], [1, 0]], n)[0][1];
}
