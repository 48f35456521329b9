/** Short, common words that are easy to tell apart when spoken. */
export const WORDS = `
able acid acorn actor adult agile agree alarm album alder alert alley alloy almond alpine amber ample anchor angle
animal ankle answer antler apple april apron arcade arch arctic arena argon armor arrow artist aspen aster atlas atom
attic august autumn avenue awake axis bacon badge bagel baker balcony ballad balloon bamboo banana banjo banner
barber barley barn barrel basil basin basket bass beach beacon beaver become bedrock beetle bench bicycle birch
biscuit bison blanket blaze blend block bloom blossom blue board bobcat bonus book border borrow bottle bounce bowl
bracket branch brass brave bread breeze brick bridge bright bring broad bronze brook broom brown brush bubble bucket
budget buffalo bugle build bumper bundle bunny burger butter button cabbage cabin cable cactus camel camera camp
canal canary candle candy canoe canvas canyon captain caramel carbon cargo carpet carrot cart castle catalog cedar
celery cellar cement census center chain chair chalk chapel charm chart cheese cherry chess chest chicken chimney
choice cider cinema circle circus citrus civic classic clay clean clever cliff climb clinic clock cloud clover coach
coast cobalt cobra cocoa coconut coffee coin collar comet comfort common compass concert condor copper coral corner
cosmos cotton cougar country courage cousin cradle crane crater crayon cream credit creek cricket crisp crop crown
cruise crystal cube cupcake curtain curve cushion custom cycle cymbal daisy dance dapper daring dawn decade decimal
deck deer degree delta denim dentist depot desert design desk detail dial diamond diary diesel digit dinner diploma
direct dish diver dock doctor dollar dolphin domino donkey door double dragon drama drawer dream dress drift drink
drive drum duck dune during dust dynamo eager eagle early earth east easy echo eclipse edge editor effort eight elbow
elder eleven ember emerald empty energy engine enjoy enough entry equal errand estate evening event every exact
exhibit expert extra fabric factory falcon family famous fancy farmer fast father feather federal fence fern ferry
fiber fiddle field fifteen fifty figure film final finch finger finish fire first fish five flag flame flannel flask
fleece flight flint float flock floor flute foam focus folder folk follow forest forget fork formal fortune forty
forum fossil four frame fresh friend frog frost fruit fudge funnel future gadget galaxy gallery gallon garage garden
garlic garnet gate gazelle gentle geyser giant ginger giraffe glacier glad glass glide globe glove goat gold golf
good goose gorilla grain granite grape graph grass gravel gravity great green grid grill grocery group grove guava
guest guide guitar gull gymnast habit hammer hammock hamster handle happy harbor harmony harp harvest hawk hazel
health heart heather hedge helmet herb heron hickory high hiker hill hippo history hobby hockey holiday hollow honey
hood hope horizon hornet horse hotel house hover human humble hummus hundred husky hybrid iceberg icicle idea igloo
image immune impact inch index indigo inlet insect inside invent iris iron island itself ivory jacket jaguar jasmine
jazz jelly jewel jigsaw jockey jolly journal journey judge juice july jumbo jungle junior jupiter jury kayak keen
keeper kelp kernel kettle kind kingdom kiosk kitchen kite kitten kiwi koala label ladder lagoon lake lamp lantern
laptop larch large lasso latch latte laundry laurel lava lawn layer leaf league leather lecture legend lemon lentil
leopard lesson letter level lever liberty library lilac lily lime limit linen lion liquid list little lizard llama
lobster local locket lodge logic longest lotus lucky lumber lunar lunch lynx lyric machine magic magpie major mallard
mammoth manager mango maple marble march margin marine market marsh martin mascot matrix meadow medal medium melody
melon member memory mentor menu mercury merit meteor method metro midday middle mile million mimosa mineral mirror
mitten mixture mobile model modern mohair moment monday monkey month moon moose morning mosaic moss motel mother
motor mouse movie muffin mule mural muscle museum music mustard myrtle mystery napkin narrow nation native nature
navy nearby nebula nectar needle nephew neptune nest network neutral never nickel night nimble nine noble noon normal
north novel nugget number nurse nutmeg oasis object oboe ocean octave october octopus offer office often olive omelet
onion onyx opal open opera opinion optic orange orbit orchard orchid order oregano organ origin osprey ostrich otter
outdoor oval oven oxygen oyster pacific paddle page painter palace palm panda panel panther papaya paper parade
parcel parent park parrot parsley partner party passage pasta pastel patch path patio patrol pattern peach peacock
peanut pebble pecan pelican pencil penguin people pepper perfect perfume person petal phone photo piano picnic
picture pigeon pillow pilot pine pioneer pitcher pixel pizza planet plasma plate plaza plenty plum plural pocket poem
poet point polar polite pollen pony poplar popular porch portal potato pottery powder prairie present pretty pretzel
primary prince print prism prize problem project promise proper proud prune public puddle puffin pulley pulse pumpkin
puppet purple puzzle pyramid quail quality quantum quarry quartz queen quick quiet quilt quince quiver quota rabbit
raccoon racket radar radio radish raft rainbow raisin ranch random ranger rapid raven ready recipe record reef
regular relay remark remote rental repair report rescue resort result return reward rhythm ribbon rice ridge ring
ripple river robin robot rocket rodeo roller romance roof rooster rope rose rotor round rowboat royal ruby rudder
rugby ruler runner rural rustic saddle saffron sage salad salmon salt sample sand sardine satin saturn sauce scallop
scarf scatter school science scooter scout screen script season secure seed select senior sequel serene series seven
shadow shallow shape share shelf shell shelter shield shimmer ship shirt shore short shovel shrimp shuttle sierra
signal silent silk silver simple singer sister sixty skate sketch skiing skill slate sled sleeve slice slogan slope
small smart smile smooth snack snail snow soap soccer social socket soda sofa soft solar solid sonata song sonic soup
south space spark sparrow special speech speed spice spider spinach spiral splash sponge spoon sport spring spruce
square squid stadium stamp star station statue steady steam steel stem stereo stone stool storm story stove straw
stream street string studio style subway sugar suit summer summit sunday sunset super supper surf swamp swan sweater
swift swim swing symbol syrup system table tablet taco tadpole tailor talent tandem tango tape target tartan taxi
teacher teapot temple tennis tent terrace text theater theory thicket thimble third thirty thistle thread three
thrush thunder ticket tidal tiger timber tinsel tiny title toast today toffee token tomato tonic topaz topic torch
total toucan tourist towel tower town tractor trade traffic trail train transit travel tray tree trend tribe trio
trophy trout truck trumpet trust tulip tundra tunnel turbo turkey turnip turtle tuxedo twelve twenty twig twin
typical uncle under uniform union unique unit update upper urban useful usual vacuum valley value vanilla vapor
velvet venture venus veranda verb version vessel victor video village vinegar vintage violet violin visible vision
visitor vital vivid voice volcano volume voyage waffle wagon waist walnut walrus warm wasabi water wave wealth weasel
wedge weekend welcome west wheat wheel whisper white wicker wide willow window winner winter wisdom wizard wolf
wombat wonder wooden wool world worthy woven wrench wrist writer yacht yard yarn year yellow yoga yogurt young zebra
zenith zephyr zero zigzag zinc zipper zodiac zone`
  .trim()
  .split(/\s+/)
