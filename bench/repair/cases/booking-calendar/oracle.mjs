export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const bookings = random.list(random.int(0, 6), () => {
      const start = random.int(0, 40);
      return [start, start + random.int(1, 20)];
    });
    yield ['mergeBookings', bookings];
    yield ['freeSlots', bookings, [random.int(0, 10), random.int(30, 60)], random.int(1, 5)];
  }
}
