// tuning
const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True for a leap year of the Gregorian calendar. */
export function isLeapYear(year) {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days of a month, 1 to 12. */
export function daysInMonth(year, month) {
  if (month < 1 || month > 12) throw new RangeError(`no month ${month}`);
  return month === 2 && isLeapYear(year) ? 29 : lengths[month - 1];
}

/** The number of a day in its year, from 1. */
export function dayOfYear(year, month, day) {
  let days = day;
  for (let m = 1; m < month; m += 1) days += daysInMonth(year, m);
  return days;
}

/** True for a day that exists. */
export function isValidDate(year, month, day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

// tests
daysInMonth(2023, 2) // 28
daysInMonth(2024, 13) // throws RangeError
dayOfYear(2023, 12, 31) // 365
dayOfYear(2024, 12, 31) // 366
isValidDate(1900, 2, 29) // false
isValidDate(2024, 2, 29) // true
// oracle
year = () => pick(1900, 2000, 2023, 2024, 2100, num(1890, 2110))
isLeapYear(year())
daysInMonth(year(), num(0, 13))
isValidDate(year(), num(0, 13), num(0, 32))
dayOfYear(year(), num(1, 12), num(1, 28))
// faults
// 5 wrong boolean operator: `||` ► `&&`
// 10 off by one: `1` ► `2`
// 11 missing call: `isLeapYear(year)` ► `year`
// 17 swapped arguments: `year, m` ► `m, year`
