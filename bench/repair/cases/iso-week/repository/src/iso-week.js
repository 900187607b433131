const dayMs = 86_400_000;

/** A day at midnight, in UTC. */
const utc = (year, month, day) => new Date(Date.UTC(year, month - 1, day));

/** The day of the week: Monday is 1, Sunday is 7. */
export function isoWeekday(date) {
  return date.getUTCDay() || 7;
}

/** The week of a day by ISO 8601: { year, week }. Week 1 holds the year's first Thursday. */
export function isoWeek(year, month, day) {
  const date = utc(year, month, day);
  const thursday = new Date(date.getTime() + (4 - isoWeekday(date)) * dayMs);
  const weekYear = thursday.getUTCFullYear();
  const days = Math.round((thursday - utc(weekYear, 1, 1)) / dayMs);
  return { year: weekYear, week: Math.floor(days / 7) + 1 };
}

/** A day's week as in "2024-W07-3". */
export function formatIsoWeek(year, month, day) {
  const { year: weekYear, week } = isoWeek(year, month, day);
  const weekday = isoWeekday(utc(year, month, day));
  return `${weekYear}-W${String(week).padStart(2, '0')}-${weekday}`;
}
