import manifest from '#package' with { type: 'json' }

export const { version } = manifest
