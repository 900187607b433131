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
