// Yarn 2 and newer obey nothing in package.json that refuses them: `.yarnrc.yml` makes them run this in place of themselves.
console.error('This project uses npm. Run `npm start` or `npm test`: each installs what it needs.')
process.exitCode = 1
