export function* calls(random) {
  const pad = n => String(n).padStart(2, '0');
  const time = () =>
    `${pad(random.int(0, 23))}:${random.pick(['00', '15', '30', '59', pad(random.int(0, 59))])}`;
  for (let i = 0; i < 150; i += 1) {
    const hours = random.list(random.int(0, 3), () => [time(), time()]);
    const at = random.chance(0.4) && hours.length > 0 ? hours[0][random.int(0, 1)] : time();
    yield ['minutesOf', time()];
    yield ['textOf', random.int(0, 1439)];
    yield ['isOpen', hours, at];
    yield ['minutesToOpening', hours, at];
    yield ['openMinutes', hours];
    yield ['describeHours', hours];
  }
}
