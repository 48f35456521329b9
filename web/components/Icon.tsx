/** Stroked paths on a 24 px grid. */
const PATHS = {
  alert: 'M12 3 2 20h20zM12 10v4M12 17.5h.01',
  check: 'm4 12 5 5L20 6',
  clip: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.2 17.2a1.7 1.7 0 0 1-2.4-2.4L14.5 7.3',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dice: 'M4 4h16v16H4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01',
  download: 'M12 3v13M7 11l5 5 5-5M4 21h16',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  flame: 'M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3-1-5 1-9z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v5M12 7.5h.01',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  lock: 'M7 11V7a5 5 0 0 1 10 0v4M5 11h14v10H5z',
  mayfly: 'M12 8v8M12 10C10 4 5 2 3 4s2 7 9 7M12 10c2-6 7-8 9-6s-2 7-9 7M12 16l-3 6M12 16v6M12 16l3 6',
  menu: 'M4 6h16M4 12h16M4 18h16',
  panel: 'M3 4h18v16H3zM9 4v16',
  pencil: 'M4 20h4L20 8l-4-4L4 16z',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2M14 18v2M18 18h2v2',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v9h14v-9',
  'sign-out': 'M14 4h6v16h-6M10 8l-4 4 4 4M6 12h11',
  sliders: 'M4 6h7M17 6h3M4 12h2M12 12h8M4 18h9M19 18h1M14 4v4M9 10v4M16 16v4',
  theme:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  trash: 'M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c0-4 4-6 8-6s8 2 8 6',
  users: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M2 21c0-4 3-6 7-6s7 2 7 6M16 4a4 4 0 0 1 0 8M18 15c3 1 4 3 4 6',
} as const

export type IconName = keyof typeof PATHS

/** Decorative: use it beside a text, or inside an element with an accessible name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
