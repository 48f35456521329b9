/** Starts `racers` concurrent calls and returns their results. Rejects if a call throws. */
export function race<T>(racers: number, call: (racer: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: racers }, (_, racer) => call(racer)))
}

/** Number of matching results. */
export const count = <T>(results: T[], fulfils: (result: T) => boolean): number => results.filter(fulfils).length

/** Starts `racers` concurrent calls and returns the outcome of each: `done`, or the code of its AppError. */
export const raceForCodes = (racers: number, call: (racer: number) => Promise<unknown>): Promise<string[]> =>
  race(racers, (racer) =>
    call(racer).then(
      () => 'done',
      (error) => error.code ?? error.message,
    ),
  )
