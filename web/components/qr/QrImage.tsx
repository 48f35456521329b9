import { encode } from 'uqr'

/** Empty modules around the code, required by ISO/IEC 18004. */
const QUIET_ZONE = 4

/** A QR code as modules and as an SVG path of one unit per module. */
export function encodeQr(text: string) {
  const { data, size } = encode(text, { border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [{ x, y }] : [])))
  return { dark, size, path: dark.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('') }
}

interface Props {
  code: Pick<ReturnType<typeof encodeQr>, 'size' | 'path'>
  /** Accessible name. */
  name: string
}

export function QrImage({ code: { size, path }, name }: Props) {
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={name} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  )
}
