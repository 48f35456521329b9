import { raceContract } from '#test/race-contract'

raceContract('mysql')
