/** The monthly payment in whole cents for a loan at a yearly rate in percent. */
export function monthlyPayment(amount, yearlyRate, months) {
  const rate = yearlyRate / 1200;
  if (rate === 0) return Math.ceil(amount / months);
  const factor = (1 + rate) ** months;
  return Math.ceil((amount * rate * factor) / (factor - 1));
}

/** The plan by month: interest, repaid, left. The last payment pays what is left. */
export function loanPlan(amount, yearlyRate, months) {
  const payment = monthlyPayment(amount, yearlyRate, months);
  const plan = [];
  let left = amount;
  for (let month = 1; month <= months && left > 0; month += 1) {
    const interest = Math.round((left * yearlyRate) / 1200);
    const repaid = month === months ? left : Math.min(payment - interest, left);
    left -= repaid;
    plan.push({ month, interest, repaid, left });
  }
  return plan;
}

/** All interest of a plan. */
export function totalInterest(plan) {
  return plan.reduce((sum, { interest }) => sum + interest, 0);
}

/** The first month in which more is repaid than interest is paid; null if there is none. */
export function turningPoint(plan) {
  return plan.find(({ interest, repaid }) => repaid > interest)?.month ?? null;
}

/** What an early repayment costs: one percent of what is left, half of it in the last year. */
export function earlyFee(plan, month) {
  const left = plan[month - 1]?.left ?? 0;
  const percent = plan.length - month < 12 ? 0.5 : 1;
  return Math.round((left * percent) / 100);
}
