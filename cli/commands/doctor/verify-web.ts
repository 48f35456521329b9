import { command } from '../command.js'

export const verifyWeb = command({
  name: 'verify-web',
  summary: "compare a server's web app with this version",
  argument: ['<url>', 'URL of the instance'],
  examples: [['check that the server delivers the released web app', 'mayfly verify-web https://secrets.example.org']],
  async run({ io, flags, args }) {
    const { verifyWebApp } = await import('./verify-web-app.js')
    await verifyWebApp(args[0] ?? '', flags, io)
  },
})
