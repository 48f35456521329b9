/** Starts `racers` calls at once and answers all their results; a call that throws fails the race. */
export function race<T>(racers: number, call: (racer: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: racers }, (_, racer) => call(racer)))
}

/** How many answers fulfil it. */
export const count = <T>(answers: T[], fulfils: (answer: T) => boolean): number => answers.filter(fulfils).length

/** Starts `racers` calls at once and answers what became of each: `done`, or the code of its AppError. */
export const raceForCodes = (racers: number, call: (racer: number) => Promise<unknown>): Promise<string[]> =>
  race(racers, (racer) =>
    call(racer).then(
      () => 'done',
      (error) => error.code ?? error.message,
    ),
  )
