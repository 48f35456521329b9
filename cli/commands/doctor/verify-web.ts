import { command } from '../command.js'

export const verifyWeb = command({
  name: 'verify-web',
  summary: 'compare the web app that a server sends with the one of this version',
  argument: ['<url>', 'address of the instance'],
  examples: [['is the page that people get the released one?', 'mayfly verify-web https://secrets.example.org']],
  async run({ io, flags, args }) {
    const { verifyWebApp } = await import('./verify-web-app.js')
    await verifyWebApp(args[0] ?? '', flags, io)
  },
})
