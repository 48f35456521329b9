/** Each has a class in `styles/icons.css`. */
export type IconName =
  | 'alert'
  | 'check'
  | 'clip'
  | 'close'
  | 'copy'
  | 'dice'
  | 'download'
  | 'file'
  | 'eye'
  | 'flame'
  | 'info'
  | 'list'
  | 'lock'
  | 'mayfly'
  | 'menu'
  | 'panel'
  | 'pencil'
  | 'print'
  | 'qr'
  | 'share'
  | 'sign-out'
  | 'sliders'
  | 'theme'
  | 'trash'
  | 'user'
  | 'users'

/** Decorative: use it beside a text, or inside an element with an accessible name. */
export function Icon({ name }: { name: IconName }) {
  return <span className={`icon icon-${name}`} aria-hidden="true" />
}
